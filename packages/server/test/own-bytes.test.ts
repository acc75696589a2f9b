import { dialects } from '@dragoman/core';
import { chatMessage, chatStream, type NextReply, sample } from '@dragoman/testkit';
import { expect, it } from 'vitest';
import { gatewayForTest, upstreamForTest } from './for-test.ts';
import { dataOf } from './start-test-gateway.ts';

/** What agents read: with names of tools as tags, with markers of dialects, with turns of chat templates. */
const files: Readonly<Record<string, string>> = {
  'App.tsx': 'return <Edit icon={<Task />} onClick={() => open<Edit>(x > 1 && y < 2)} />;\n<path>a</path>',
  'pom.xml': '<project>\n  <name>x</name>\n  <tool_call>{"name": "Edit"}</tool_call>\n</project>',
  'ci.yml': 'steps:\nAction: Edit\nAction Input: {"path": "a"}\nresult: &a <s>old</s>',
  'change.diff': '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-<invoke name="Edit">\n+<Edit>\n>>>>>>> other',
  'template.jinja':
    "{{ '<|im_start|>' + role }}\n<|im_end|>\n[TOOL_CALLS][/INST]</s>\n{%- if think %}<think>{% endif %}\n# Request\n---",
  'joiners.txt': 'a\u2060b \u2060\u2060 <\u2060tool_call> <tool_call>',
};

const tools = ['Edit', 'Task'].map((name) => ({
  type: 'function',
  function: {
    name,
    parameters: {
      type: 'object',
      properties: { path: { type: 'string' }, old_string: { type: 'string' } },
      required: ['path', 'old_string'],
    },
  },
}));
const declared = tools.map(({ function: { name, parameters } }) => ({ name, inputSchema: parameters }));

const ways = ['text', 'cline-xml', 'hermes', 'native'].flatMap((id) =>
  Object.keys(files).flatMap((file) => [false, true].map((stream) => ({ id, file, stream }))),
);

it.each(sample(ways, 12))(
  'a model that copies $file into a call and its answer writes the file’s own bytes: $id, streamed: $stream',
  async ({ id, file, stream }) => {
    const lines = files[file] ?? expect.fail(file);
    const dialect = dialects.get(id === 'cline-xml' ? id : 'hermes') ?? expect.fail(id);
    const upstream = await upstreamForTest();
    const toolCalling = id === 'native' || id === 'text' ? id : { dialect: id };
    const up = { wire: 'openai-chat', baseUrl: upstream.baseUrl, models: { m: { toolCalling } } };
    const gateway = await gatewayForTest({ config: { upstreams: { up } } });

    // The model copies what it was shown, with whatever has been done to it.
    const reply: NextReply = ({ body }) => {
      const shown: string = Object(body).messages.at(-1).content;
      const copied = shown.slice(shown.indexOf('BEGIN\n') + 6, shown.indexOf('\nEND'));
      const json = JSON.stringify({ path: file, old_string: copied });
      const call = dialect.renderCalls([{ callId: 'c', ordinal: 0, name: 'Edit', arguments: json }], declared);
      const text = `It says BEGIN\n${copied}\nEND.\n\n`;
      if (id !== 'native') return stream ? chatStream(text + call, { pieces: 3 }) : chatMessage(text + call);
      return stream ? chatStream(text, { pieces: 3 }) : chatMessage(text);
    };
    upstream.next(reply);
    const response = await gateway.post({
      model: 'up/m',
      stream,
      tools,
      messages: [
        { role: 'user', content: `Change ${file}.` },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'r', type: 'function', function: { name: 'Edit', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'r', content: `BEGIN\n${lines}\nEND` },
      ],
    });
    const parts = stream
      ? dataOf(await response.text())
          .slice(0, -1)
          .map((data) => JSON.parse(data).choices[0]?.delta ?? {})
      : [(await response.json()).choices[0].message];
    const text = parts.map((part) => part.content ?? '').join('');
    const written = parts.map((part) => part.tool_calls?.[0]?.function?.arguments ?? '').join('');
    expect(text).toContain(`BEGIN\n${lines}\nEND.`);
    if (id === 'native') expect(written).toBe('');
    else expect(JSON.parse(written)).toEqual({ path: file, old_string: lines });
  },
);
