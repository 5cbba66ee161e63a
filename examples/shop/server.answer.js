/** An answer that a model reads as text and a program as data. */
export const answer = (structuredContent, text = JSON.stringify(structuredContent)) => ({
  content: [{ type: 'text', text }],
  structuredContent,
});
