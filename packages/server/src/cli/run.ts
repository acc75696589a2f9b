export async function run(args: readonly string[]): Promise<number> {
  return args.length;
}
