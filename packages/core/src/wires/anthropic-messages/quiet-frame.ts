const start = 'event: content_block_delta\ndata: {';

/** Whether an event only goes on with a text or with thoughts. Within a text the quotation marks of these words are escaped. */
export function isQuiet(frame: string): boolean {
  if (!frame.startsWith(start) || !frame.endsWith('}') || frame.includes('\n', start.length)) return false;
  return frame.includes('"text_delta"') || frame.includes('"thinking_delta"');
}
