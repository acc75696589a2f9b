import { type CodingTool, stringOf, text } from './coding-tool.ts';

/** `todowrite` and `todoread`, which share a list, and `task`. */
export function planTools(): CodingTool[] {
  let todos: unknown = [];
  const todo = {
    type: 'object',
    properties: {
      content: text('What is to be done'),
      status: { type: 'string', enum: ['pending', 'in_progress', 'completed', 'cancelled'] },
      priority: { type: 'string', enum: ['high', 'medium', 'low'] },
      id: text('A name for it that no other has'),
    },
    required: ['content', 'status', 'priority', 'id'],
    additionalProperties: false,
  };
  return [
    {
      name: 'todowrite',
      description: 'Replaces the structured task list of this session.',
      parameters: {
        type: 'object',
        properties: { todos: { type: 'array', items: todo, description: 'The whole new list' } },
        required: ['todos'],
      },
      run: async (values) => {
        if (!Array.isArray(values.todos)) throw new Error('todos is not a list');
        todos = values.todos;
        return JSON.stringify(todos);
      },
    },
    {
      name: 'todoread',
      description: 'Returns the task list of this session.',
      parameters: { type: 'object', properties: {}, required: [] },
      run: async () => JSON.stringify(todos),
    },
    {
      name: 'task',
      description: 'Launches another agent that works on a piece of work by itself.',
      parameters: {
        type: 'object',
        properties: {
          description: text('The work in three to five words'),
          prompt: text('What the agent is to do'),
          subagent_type: text('Which agent to use'),
        },
        required: ['description', 'prompt', 'subagent_type'],
      },
      run: async (values) => `The agent ${stringOf(values, 'subagent_type')} is done.`,
    },
  ];
}
