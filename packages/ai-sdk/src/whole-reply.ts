import type {
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider';

/** A whole reply as the parts of a stream: there is one way to read a reply. */
export function partsOf({
  content,
  finishReason,
  usage,
  providerMetadata,
  warnings,
}: LanguageModelV4GenerateResult): readonly LanguageModelV4StreamPart[] {
  const parts = content.flatMap((part, index): readonly LanguageModelV4StreamPart[] => {
    const id = String(index);
    if (part.type === 'text') {
      const { type: _, text, ...ending } = part;
      return [
        { type: 'text-start', id },
        { type: 'text-delta', id, delta: text },
        { type: 'text-end', id, ...ending },
      ];
    }
    if (part.type === 'reasoning') {
      const { type: _, text, ...ending } = part;
      return [
        { type: 'reasoning-start', id },
        { type: 'reasoning-delta', id, delta: text },
        { type: 'reasoning-end', id, ...ending },
      ];
    }
    return [part];
  });
  return [
    { type: 'stream-start', warnings },
    ...parts,
    { type: 'finish', finishReason, usage, ...(providerMetadata && { providerMetadata }) },
  ];
}

/** The content of a whole reply, of the parts of a stream. */
export function contentOf(parts: readonly LanguageModelV4StreamPart[]): LanguageModelV4Content[] {
  const content: LanguageModelV4Content[] = [];
  let deltas: string[] = [];
  for (const part of parts) {
    switch (part.type) {
      case 'text-delta':
      case 'reasoning-delta':
        deltas.push(part.delta);
        break;
      case 'text-end':
      case 'reasoning-end': {
        const { type, id: _, ...ending } = part;
        content.push({ type: type === 'text-end' ? 'text' : 'reasoning', text: deltas.join(''), ...ending });
        deltas = [];
        break;
      }
      case 'tool-call':
      case 'tool-result':
      case 'tool-approval-request':
      case 'source':
      case 'file':
      case 'reasoning-file':
      case 'custom':
        content.push(part);
        break;
      case 'text-start':
      case 'reasoning-start':
      case 'tool-input-start':
      case 'tool-input-delta':
      case 'tool-input-end':
      case 'stream-start':
      case 'response-metadata':
      case 'finish':
      case 'ping':
      case 'raw':
      case 'error':
        break;
      default:
        throw new Error(`no rule for the part ${JSON.stringify(part satisfies never)}`);
    }
  }
  return content;
}
