import type { Fitting } from './fitting.ts';

/** Whether a text has the format. */
type Format = (text: string, fitting: Fitting) => boolean;

/** A format that one pattern describes. */
function like(pattern: string): Format {
  return (text, fitting) => fitting.matches(`^(?:${pattern})$`, text) !== false;
}

const date = '\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])';
const time = '(?:[01]\\d|2[0-3]):[0-5]\\d:(?:[0-5]\\d|60)(?:\\.\\d+)?(?:[Zz]|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)';
const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const byte = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const days = '(?:\\d+D|\\d+M(?:\\d+D)?|\\d+Y(?:\\d+M(?:\\d+D)?)?)';
const hours = 'T(?:\\d+S|\\d+M(?:\\d+S)?|\\d+H(?:\\d+M(?:\\d+S)?)?)';

const hasForm = { date: like(date), time: like(time), dateTime: like(`${date}[Tt]${time}`) };

/** The formats that are checked, by name. Others say nothing. Where a standard has rare corners, they pass. */
export const formats: ReadonlyMap<string, Format> = new Map<string, Format>([
  ['date', (text, fitting) => hasForm.date(text, fitting) && isDay(text)],
  ['time', hasForm.time],
  ['date-time', (text, fitting) => hasForm.dateTime(text, fitting) && isDay(text.slice(0, 10))],
  ['duration', like(`P(?:\\d+W|${days}(?:${hours})?|${hours})`)],
  ['email', like(`[^\\s@]+@[^\\s@]+`)],
  ['hostname', (text, fitting) => text.length <= 253 && like(`${label}(?:\\.${label})*`)(text, fitting)],
  ['ipv4', like(`${byte}(?:\\.${byte}){3}`)],
  ['ipv6', isIpv6],
  ['uuid', like('[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}')],
  ['uri', like('[A-Za-z][A-Za-z0-9+.-]*:[^\\s<>"{}|\\\\^`]*')],
]);

/** Whether the month has the day. */
function isDay(text: string): boolean {
  const [year, month, day] = text.split('-').map(Number);
  if (year === undefined || month === undefined || day === undefined) return false;
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return day <= ([31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0);
}

/** The platform's own reader of addresses knows their short forms. */
function isIpv6(text: string, fitting: Fitting): boolean {
  return like('[0-9A-Fa-f:.]{2,45}')(text, fitting) && URL.canParse(`http://[${text}]/`);
}
