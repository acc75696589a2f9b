import { expect, it } from 'vitest';
import { dialectOfTemplate } from './dialect-of-template.ts';

/** The lines of published chat templates that write calls. */
const templates: readonly (readonly [model: string, source: string, dialect: string | undefined])[] = [
  [
    'Qwen2.5',
    `{{- '\\n<tool_call>\\n{"name": "' }}{{- tool_call.name }}{{- '", "arguments": ' }}{{- tool_call.arguments | tojson }}{{- '}\\n</tool_call>' }}`,
    'hermes',
  ],
  [
    'Qwen3-Coder',
    `{{- '<tool_call>\\n<function=' + tool_call.name + '>\\n' }}{{- '<parameter=' + args_name + '>\\n' }}{{- '\\n</parameter>\\n' }}{{- '</function>\\n</tool_call>' }}`,
    'qwen3-coder',
  ],
  [
    'GLM-4.6',
    `{{- '\\n<tool_call>' + tc.name -}}<arg_key>{{ k }}</arg_key>\\n<arg_value>{{ v }}</arg_value>{% endfor %}</tool_call>`,
    'glm',
  ],
  [
    'Kimi K2',
    `<|tool_calls_section_begin|><|tool_call_begin|>{{ id }}<|tool_call_argument_begin|>{{ args }}<|tool_call_end|><|tool_calls_section_end|>`,
    'kimi-k2',
  ],
  ['SmolLM2', `{{'<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>' + '\\n'}}`, undefined],
  ['a template with code in it', 'Answer with\\n```json\\n{}\\n```\\n<|im_end|>', undefined],
];

it.each(templates)('the template of %s', (_, source, dialect) => {
  expect(dialectOfTemplate(source)).toBe(dialect);
});
