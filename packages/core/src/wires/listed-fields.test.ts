import { describe, expect, it } from 'vitest';
import { anthropicModels } from './anthropic-messages/read-models.ts';
import { isLlamaServer, llamaProps } from './listed-fields.ts';
import { openaiModels } from './read-openai-models.ts';

/** What a server of version 0.5.0 answers, with two slots; its media marker is another one with each start. */
const props = {
  default_generation_settings: { params: {}, n_ctx: 4096 },
  total_slots: 2,
  model_alias: 'm',
  model_path: '/models/m.gguf',
  modalities: { vision: false, audio: false },
  media_marker: '<__media_IkPMwgVPltBltMbyhmsyR4wB53N5Z0Wp__>',
  chat_template: '{% for message in messages %}{{ message.content }}{% endfor %}',
  chat_template_caps: { supports_tools: false, supports_tool_calls: false, supports_system_role: true },
  build_info: 'b0-unknown',
};
const entry = { id: 'm', object: 'model', created: 1_795_453_868, owned_by: 'llamacpp', meta: { n_ctx: 8192 } };
const listed = { id: 'm', contextWindow: 8192, displayName: 'M' };
const read = (body: object) => llamaProps.read(body)(listed);

describe('the properties of llama.cpp’s server', () => {
  it('are asked where the list shows that it is one, with one model', () => {
    for (const { readPage } of [openaiModels, anthropicModels]) {
      expect(readPage({ data: [entry] })?.more).toBe(llamaProps);
      expect(readPage({ data: [{ ...entry, owned_by: 'vllm' }] })?.more).toBeUndefined();
    }
    expect(isLlamaServer([entry, entry])).toBe(false);
  });

  it('tell the window of a slot, and that the template knows no tools', () => {
    expect(read(props)).toEqual({
      id: 'm',
      displayName: 'M',
      contextWindow: 4096,
      images: false,
      toolCalling: false,
      template: props.chat_template,
      version: expect.stringMatching(/^[0-9a-f]{16}$/),
    });
  });

  it('tell that it does', () => {
    const chat_template_caps = { supports_tools: true, supports_tool_calls: true };
    const modalities = { vision: true };
    expect(read({ ...props, chat_template_caps, modalities })).toMatchObject({
      toolCalling: true,
      images: true,
    });
    // Tools go in and calls of the history do not come out again.
    const half = { supports_tools: true, supports_tool_calls: false };
    expect(read({ ...props, chat_template_caps: half }).toolCalling).toBe(false);
  });

  it('have a version that changes with the file, the template and the build, and with nothing else', () => {
    const { version } = read(props);
    expect(read({ ...props, media_marker: 'x', total_slots: 1 }).version).toBe(version);
    for (const other of [{ model_path: '/n.gguf' }, { chat_template: 'x' }, { build_info: 'b1' }]) {
      expect(read({ ...props, ...other }).version).not.toBe(version);
    }
  });

  it('of older servers say less, and nothing wrong', () => {
    expect(read({ chat_template: 5, default_generation_settings: [] })).toEqual(listed);
    expect(llamaProps.read('nonsense')(listed)).toEqual(listed);
  });
});
