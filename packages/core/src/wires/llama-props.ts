import { hexDigestOf } from '../chat/digest.ts';
import { fieldsOf, firstCount, firstFlag, onlyTrue, readTemplate } from './listed-fields.ts';
import type { ListedModel, ServerQuestion } from './wire.ts';

/**
 * What llama.cpp's server says of the one model that it runs: the window of a slot, of which its list may say that of all
 * slots together, and whether the chat template takes tools, which are left out without a word where it does not. Source:
 * https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md
 */
export const llamaProps: ServerQuestion = { path: '/props', fromRoot: true, read };

/** Whether the entries of a list are those of such a server. One that runs several models tells nothing of them together. */
export function isLlamaServer(entries: readonly unknown[]): boolean {
  return entries.length === 1 && fieldsOf(entries[0]).owned_by === 'llamacpp';
}

function read(body: unknown): (model: ListedModel) => ListedModel {
  const props = fieldsOf(body);
  const template = readTemplate(props.chat_template);
  const caps = fieldsOf(props.chat_template_caps);
  const contextWindow = firstCount(fieldsOf(props.default_generation_settings).n_ctx);
  const images = firstFlag(fieldsOf(props.modalities).vision);
  const toolCalling = toolCallingOf(caps.supports_tools, caps.supports_tool_calls);
  const reasoning = onlyTrue(caps.supports_reasoning_effort);
  const told: Omit<ListedModel, 'id'> = {
    ...(contextWindow === undefined ? {} : { contextWindow }),
    ...(images === undefined ? {} : { images }),
    ...(toolCalling === undefined ? {} : { toolCalling }),
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(template === undefined ? {} : { template, version: versionOf(template, props) }),
  };
  return (model) => ({ ...model, ...told });
}

/** It has to take the tools, and the calls of the history. */
function toolCallingOf(tools: unknown, calls: unknown): boolean | undefined {
  if (tools === false || calls === false) return false;
  return tools === true ? true : undefined;
}

/** Another build reads another file by another template. */
function versionOf(template: string, { build_info: build, model_path: path }: ReturnType<typeof fieldsOf>): string {
  return hexDigestOf(JSON.stringify([build, path, template]));
}
