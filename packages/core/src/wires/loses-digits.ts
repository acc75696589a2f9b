/** Up to so many digits, every whole number is one that JavaScript holds. */
const safeDigits = 15;

/** Whether valid JSON text holds a number that JavaScript cannot hold, so that digits are lost where it is read. */
export function losesDigits(json: string): boolean {
  let inString = false;
  let start = -1;
  for (let at = 0; at <= json.length; at += 1) {
    const letter = json[at] ?? '';
    if (inString) {
      if (letter === '\\') at += 1;
      else if (letter === '"') inString = false;
    } else if (letter !== '' && '0123456789.+-eE'.includes(letter)) start = start < 0 ? at : start;
    else {
      if (start >= 0 && at - start > safeDigits && changes(json.slice(start, at))) return true;
      start = -1;
      inString = letter === '"';
    }
  }
  return false;
}

/** Numbers may be written in several ways; only a written form that comes back the same surely lost nothing. */
function changes(number: string): boolean {
  return String(Number(number)) !== number;
}
