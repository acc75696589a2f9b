import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ChatEvent, openaiResponsesClient, runStage } from '@dragoman/core';
import { chatRequest, loadOpenresponsesSchema } from '@dragoman/testkit';
import { describe, expect, it } from 'vitest';
import { eventTypes, readEvent, readResponse } from '../src/read-event.ts';
import { typesOf } from './document.ts';

/** Our types of what is sent, and the names that the document gives them. */
const requests = {
  InputText: 'InputTextContentParam',
  InputImage: 'InputImageContentParamAutoParam',
  InputFile: 'InputFileContentParam',
  InputVideo: 'InputVideoContent',
  UrlCitationInput: 'UrlCitationParam',
  OutputTextInput: 'OutputTextContentParam',
  RefusalInput: 'RefusalContentParam',
  UserMessage: 'UserMessageItemParam',
  SystemMessage: 'SystemMessageItemParam',
  DeveloperMessage: 'DeveloperMessageItemParam',
  AssistantMessage: 'AssistantMessageItemParam',
  FunctionCallInput: 'FunctionCallItemParam',
  FunctionCallOutputInput: 'FunctionCallOutputItemParam',
  SummaryTextInput: 'ReasoningSummaryContentParam',
  ReasoningInput: 'ReasoningItemParam',
  ItemReference: 'ItemReferenceParam',
  CompactionInput: 'CompactionSummaryItemParam',
  InputItem: 'ItemParam',
  ItemStatus: 'FunctionCallStatus',
  FunctionTool: 'FunctionToolParam',
  ToolMode: 'ToolChoiceValueEnum',
  FunctionChoice: 'SpecificFunctionParam',
  AllowedTools: 'AllowedToolsParam',
  ToolChoice: 'ToolChoiceParam',
  TextFormatText: 'TextResponseFormat',
  TextFormatJsonSchema: 'JsonSchemaResponseFormatParam',
  TextOptions: 'TextParam',
  ReasoningEffort: 'ReasoningEffortEnum',
  ReasoningOptions: 'ReasoningParam',
  StreamOptions: 'StreamOptionsParam',
} as const;

/** Our types of what comes: whatever fits the document fits them. */
const replies = {
  UrlCitation: 'UrlCitationBody',
  TopLogProb: 'TopLogProb',
  LogProb: 'LogProb',
  OutputText: 'OutputTextContent',
  Refusal: 'RefusalContent',
  SummaryText: 'SummaryTextContent',
  ReasoningText: 'ReasoningTextContent',
  PlainText: 'TextContent',
  ShownText: 'InputTextContent',
  ShownImage: 'InputImageContent',
  ShownFile: 'InputFileContent',
  ShownTool: 'FunctionTool',
  MessageItem: 'Message',
  FunctionCallItem: 'FunctionCall',
  FunctionCallOutputItem: 'FunctionCallOutput',
  ReasoningItem: 'ReasoningBody',
  CompactionItem: 'CompactionBody',
  OutputItem: 'ItemField',
  ResponseUsage: 'Usage',
  ResponseResource: 'ResponseResource',
  OutputTextDeltaEvent: 'ResponseOutputTextDeltaStreamingEvent',
  OutputTextDoneEvent: 'ResponseOutputTextDoneStreamingEvent',
  AnnotationAddedEvent: 'ResponseOutputTextAnnotationAddedStreamingEvent',
  RefusalDeltaEvent: 'ResponseRefusalDeltaStreamingEvent',
  RefusalDoneEvent: 'ResponseRefusalDoneStreamingEvent',
  ReasoningDeltaEvent: 'ResponseReasoningDeltaStreamingEvent',
  ReasoningDoneEvent: 'ResponseReasoningDoneStreamingEvent',
  ReasoningSummaryDeltaEvent: 'ResponseReasoningSummaryDeltaStreamingEvent',
  ReasoningSummaryDoneEvent: 'ResponseReasoningSummaryDoneStreamingEvent',
  ArgumentsDeltaEvent: 'ResponseFunctionCallArgumentsDeltaStreamingEvent',
  ArgumentsDoneEvent: 'ResponseFunctionCallArgumentsDoneStreamingEvent',
  ErrorEvent: 'ErrorStreamingEvent',
} as const;

/** A reply with a block of each kind. */
const written: readonly ChatEvent[] = [
  { type: 'message-start', id: 'up_1', model: 'm' },
  { type: 'reasoning-start', block: 0 },
  { type: 'reasoning-delta', block: 0, text: 'Hm.' },
  { type: 'reasoning-end', block: 0 },
  { type: 'text-start', block: 1 },
  { type: 'text-delta', block: 1, text: 'Hi' },
  { type: 'text-end', block: 1 },
  { type: 'tool-call-start', block: 2, callId: 'call_1', name: 'read' },
  { type: 'tool-call-delta', block: 2, text: '{}' },
  { type: 'tool-call-end', block: 2, arguments: '{}' },
  { type: 'usage', usage: { inputTokens: 3, outputTokens: 2, source: 'upstream' } },
  { type: 'message-end', finishReason: 'tool-calls' },
];

const schema = loadOpenresponsesSchema();
const source = fileURLToPath(new URL('../src/', import.meta.url));

/** What the compiler says of our types beside those of the document. */
function compare(schemas: Readonly<Record<string, unknown>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-document-'));
  const events = Object.keys(schemas).filter((name) => name.endsWith('StreamingEvent'));
  const checks = [
    ...Object.entries(requests).map(
      ([ours, theirs]) => `export const ${ours}: Same<Ours.${ours}, Document.${theirs}> = true;`,
    ),
    ...Object.entries(replies).map(
      ([ours, theirs]) => `export const ${ours}: Fits<Ours.${ours}, Document.${theirs}> = true;`,
    ),
    ...events.map(
      (name) =>
        `export const ${name}: Document.${name} extends Ours.ResponseEvent ? true : 'is none of the events' = true;`,
    ),
    `type Body = Pick<Ours.ResponsesRequest, keyof Document.CreateResponseBody>;`,
    `export const ResponsesRequest: Same<Body, Document.CreateResponseBody> = true;`,
  ];
  const code = `
    import type * as Document from './document.ts';
    import type * as Ours from '${source}index.ts';
    type Keys<Type> = Type extends unknown ? keyof Type : never;
    type Fits<Ours, Document> = [Keys<Ours>] extends [Keys<Document>]
      ? [Keys<Document>] extends [Keys<Ours>]
        ? [Document] extends [Ours] ? true : 'is not what the document says'
        : 'lacks fields of the document'
      : 'has fields that the document lacks';
    type Same<Ours, Document> = [Ours] extends [Document] ? Fits<Ours, Document> : 'says more than the document';
    ${checks.join('\n')}
  `;
  const options = [
    '--noEmit',
    '--strict',
    '--exactOptionalPropertyTypes',
    '--skipLibCheck',
    '--target',
    'es2022',
    '--module',
    'esnext',
  ];
  const compiler = fileURLToPath(new URL('../../../node_modules/.bin/tsc', import.meta.url));
  try {
    writeFileSync(join(folder, 'document.ts'), typesOf(schemas));
    writeFileSync(join(folder, 'compare.ts'), code);
    const args = [
      ...options,
      '--moduleResolution',
      'bundler',
      '--allowImportingTsExtensions',
      '--ignoreConfig',
      join(folder, 'compare.ts'),
    ];
    execFileSync(compiler, args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
    return '';
  } catch (thrown) {
    return typeof thrown === 'object' && thrown !== null && 'stdout' in thrown ? String(thrown.stdout) : String(thrown);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe('C-042 the types', () => {
  it('are those of the published document, where it is at hand', () => {
    if (schema === undefined) return;
    expect(compare(schema.schemas)).toBe('');
  });

  it('C-050 name the 24 events of the document', () => {
    expect(eventTypes).toHaveLength(24);
    const named = Object.values(schema?.schemas ?? {}).flatMap((each) => namesIn(each));
    if (schema !== undefined) expect([...eventTypes].sort()).toEqual(named.sort());
  });

  it('leave as it is what core writes, whole and as a stream', () => {
    const context = { request: chatRequest(), replyId: '1', created: 1 };
    const body = openaiResponsesClient.writeMessage(written, context);
    expect(readResponse(body)).toEqual(body);
    const lines = runStage(openaiResponsesClient.createStreamWriter(context), written).join('').split('\n');
    const bodies = lines.filter((line) => line.startsWith('data: {')).map((line) => line.slice('data: '.length));
    const events = bodies.map((each) => JSON.parse(each));
    expect(events.length).toBeGreaterThan(15);
    for (const event of events) expect(readEvent(event, { type: '', sequence: -1 })).toEqual(event);
  });
});

/** The name of an event, out of its schema. */
function namesIn(value: unknown): string[] {
  const { properties } = value as {
    readonly properties?: { readonly type?: { readonly enum?: string[] }; readonly sequence_number?: unknown };
  };
  return properties?.sequence_number === undefined ? [] : (properties.type?.enum ?? []);
}
