/** How long a mail server may take, each in milliseconds. */
export interface MailPace {
  /** Until it is connected, names and TLS included. */
  connection: number;
  /** Until it says who it is. */
  greeting: number;
  /** Between two things it says; more than for the greeting, so that it is known which of them ran out. */
  silence: number;
  /** For the whole mail, however busy the server seems. */
  mail: number;
}

/** What a job can wait. */
export const USUAL_MAIL_PACE: MailPace = {
  connection: 10_000,
  greeting: 10_000,
  silence: 11_000,
  mail: 30_000,
};
