import { cohereMarkers, cohereTurns } from '../families/cohere.ts';
import { anyJson } from '../forms/json.ts';
import { pythonStubs } from '../readers/python-stub.ts';
import { tableDialect } from '../table/table-dialect.ts';

/** The word `Action:` and a fenced JSON list of calls. */
export const commandR = tableDialect(
  'command-r',
  {
    call: {
      form: 'json',
      opener: 'Action: ',
      closer: '',
      grouping: 'list',
      brackets: { opener: '```json\n[\n', closer: '\n]```' },
      between: ',\n',
      object: '    {\n        "tool_name": {name},\n        "parameters": {arguments}\n    }',
      keys: { name: 'tool_name', arguments: 'parameters', id: 'tool_call_id' },
      fenced: true,
    },
    result: { opener: '<results>', closer: '</results>', json: { name: '{name}', content: '{text}' } },
    otherTurns: cohereTurns,
    turnEnds: ['<|END_OF_TURN_TOKEN|>'],
    silent: ['<|CHATBOT_TOKEN|>'],
    markers: cohereMarkers,
    plainMarkup: true,
    lesson: {
      intro: 'You can call the tools below, each described as a Python function:',
      tools: {
        opener: '',
        between: '\n\n',
        closer: '',
        each: { opener: '```python\n', closer: '\n```' },
        tool: 'python',
      },
      form: 'To call tools, write "Action:" and after it a fence with one JSON list of all calls:\n\n{example}',
      rules: ['All calls of a reply are in one list, and it is valid JSON. Without a call, write no "Action:".'],
    },
  },
  { json: anyJson, readers: { python: pythonStubs } },
);
