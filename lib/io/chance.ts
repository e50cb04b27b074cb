/** A number from 0 up to 1, different each time. */
export const random: () => number = Math.random;

/** A name that nobody else has: 8 hexadecimal digits. */
export function randomName(): string {
  return crypto.randomUUID().slice(0, 8);
}
