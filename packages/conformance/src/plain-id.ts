/** Whether an id has only letters, digits, `_` and `-`, which every API takes, and no more of them than `longest`. */
export function isPlainId(id: string, longest: number): boolean {
  return id.length <= longest && [...id].every((letter) => /[A-Za-z0-9_-]/.test(letter));
}
