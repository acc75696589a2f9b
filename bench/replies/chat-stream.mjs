const frame = (delta, finish = null) =>
  `data: ${JSON.stringify({
    id: 'chatcmpl-bench',
    object: 'chat.completion.chunk',
    created: 1_760_000_000,
    model: 'bench',
    choices: [{ index: 0, delta, finish_reason: finish }],
  })}\n\n`;

/** The frames of a Chat Completions stream that writes `pieces` as text: role, one frame a piece, finish, `[DONE]`. */
export function textFrames(pieces) {
  return [
    frame({ role: 'assistant', content: '' }),
    ...pieces.map((content) => frame({ content })),
    frame({}, 'stop'),
    'data: [DONE]\n\n',
  ];
}

/** The same for one native call whose arguments come in `pieces`. */
export function callFrames(name, pieces) {
  const call = (fields) => ({ tool_calls: [{ index: 0, ...fields }] });
  return [
    frame({
      role: 'assistant',
      content: null,
      ...call({ id: 'call_1', type: 'function', function: { name, arguments: '' } }),
    }),
    ...pieces.map((text) => frame(call({ function: { arguments: text } }))),
    frame({}, 'tool_calls'),
    'data: [DONE]\n\n',
  ];
}

/** Frames as reads from a network: `count` frames arrive together. */
export function reads(frames, count) {
  const chunks = [];
  for (let from = 0; from < frames.length; from += count) {
    chunks.push(Buffer.from(frames.slice(from, from + count).join('')));
  }
  return chunks;
}
