import { expect, it } from 'vitest';
import { checkTools } from './check-tools.ts';

const refused = (text: string) => {
  try {
    checkTools(JSON.parse(text), 'the context');
  } catch (thrown) {
    return String(thrown);
  }
  return undefined;
};

it.each([
  ['7', '"tools" of the context is no list: give a list of { name, description, inputSchema }'],
  ['[{"name":"a"},null]', 'tools[1] of the context is no object: give { name,'],
  ['[{"type":"function","function":{"name":"a"}}]', "tools[0] of the context has the form of OpenAI's API"],
  ['[{"description":"a"}]', 'tools[0] of the context has no name'],
  ['[{"name":""}]', 'has an empty name'],
  ['[{"name":"a","description":7}]', 'has a description that is no text'],
  ['[{"name":"a","inputSchema":"{}"}]', 'has an inputSchema that is no JSON Schema'],
  ['[{"name":"a","inputSchema":[]}]', 'has an inputSchema that is no JSON Schema'],
  ['[{"name":"a","input_schema":{}}]', 'has its schema in "input_schema"'],
  ['[{"name":"a","parameters":{}}]', 'has its schema in "parameters"'],
])('tools of another shape are refused: %s', (tools, reason) => {
  expect(refused(tools)).toContain(reason);
});

it('tools may lack what they can do without', () => {
  expect(refused('[]')).toBeUndefined();
  expect(
    refused('[{"name":"a"},{"name":"b","inputSchema":true},{"name":"c","inputSchema":{},"title":"C"}]'),
  ).toBeUndefined();
});
