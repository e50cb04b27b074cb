export function assert(condition: unknown, message?: string): asserts condition;
export function assertEquals<T>(actual: T, expected: T, message?: string): void;
export function assertNotEquals<T>(actual: T, expected: T, message?: string): void;
export function assertGreater<T>(actual: T, expected: T, message?: string): void;
export function assertGreaterOrEqual<T>(actual: T, expected: T, message?: string): void;
export function assertLess<T>(actual: T, expected: T, message?: string): void;
export function assertMatch(actual: string, expected: RegExp, message?: string): void;
export function assertStringIncludes(actual: string, expected: string, message?: string): void;
export function assertThrows<E extends Error = Error>(
  run: () => unknown,
  // deno-lint-ignore no-explicit-any -- as genuine @std/assert declares it
  ErrorClass?: abstract new (...args: any[]) => E,
  includes?: string,
): E;
export function assertRejects<E extends Error = Error>(
  run: () => PromiseLike<unknown>,
  // deno-lint-ignore no-explicit-any -- as genuine @std/assert declares it
  ErrorClass?: abstract new (...args: any[]) => E,
  includes?: string,
): Promise<E>;
export function fail(message?: string): never;
