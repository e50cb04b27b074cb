/** How the answer is shown while it is typed. */
export interface PromptSecretOptions {
  /** What stands for each character; nothing is shown where it is empty. */
  mask?: string;
  /** Whether the question is taken away afterwards. */
  clear?: boolean;
}
export function promptSecret(message?: string, options?: PromptSecretOptions): string | null;
