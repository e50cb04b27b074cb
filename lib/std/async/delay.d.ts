/** `signal` ends the wait early by rejecting; `persistent: false` lets the process end meanwhile. */
export interface DelayOptions {
  signal?: AbortSignal;
  persistent?: boolean;
}
export function delay(ms: number, options?: DelayOptions): Promise<void>;
