/** The parts of a result that a user reads: blocks of a tool, contents of a resource, messages of a prompt. */
export interface Block {
  readonly type?: string;
  /** Set for a message of a prompt. */
  readonly role?: string;
  readonly text?: string;
  readonly mimeType?: string;
  readonly data?: string;
  readonly resource?: Block;
}

interface Result {
  readonly content?: readonly Block[];
  readonly contents?: readonly Block[];
  readonly messages?: readonly { readonly role?: string; readonly content: Block }[];
}

export function blocksOf(result: unknown): readonly Block[] {
  const { content, contents, messages } = (result ?? {}) as Result;
  const found = content ?? contents ?? messages?.map(({ role, content: block }) => ({ ...block, ...(role !== undefined && { role }) }));
  if (found !== undefined && found.length > 0) return found;
  return [{ text: JSON.stringify(result ?? null) }];
}

export const textOf = (block: Block): string => block.text ?? block.resource?.text ?? JSON.stringify(block);
