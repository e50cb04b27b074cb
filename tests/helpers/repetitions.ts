/** Number of repetitions of an expensive test: `all` if `ALL_REPETITIONS` is set, otherwise `usual`. */
export function repetitions(usual: number, all: number): number {
  return Deno.env.get("ALL_REPETITIONS") ? all : usual;
}
