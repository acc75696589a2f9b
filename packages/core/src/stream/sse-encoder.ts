/** One event with one data line for each line of `data`; compact JSON has exactly one. `event` names it, for wires that do. */
export function encodeSse(data: string, event = ''): string {
  const name = event === '' ? '' : `event: ${event}\n`;
  if (!data.includes('\n')) return `${name}data: ${data}\n\n`;
  return `${name}${data
    .split('\n')
    .map((line) => `data: ${line}\n`)
    .join('')}\n`;
}
