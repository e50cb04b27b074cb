export interface PromptSecretOptions {
  /** Shown for each typed character; nothing is shown if it is empty. */
  mask?: string;
  /** True if the question is removed afterwards. */
  clear?: boolean;
}
export function promptSecret(message?: string, options?: PromptSecretOptions): string | null;
