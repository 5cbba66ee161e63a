/** Addresses and names of files are one word each, whatever stands in them: jan@example.com, Monday.com, march.csv, 10.3.26.1. */
const ENDINGS =
  'com|org|net|io|co|ai|app|dev|info|biz|de|at|ch|fr|es|it|nl|be|pt|br|jp|cn|eu|uk|us|csv|tsv|pdf|xlsx?|docx?|pptx?|png|jpe?g|gif|svg|txt|json|md|zip|html?|xml|log|sql|py|ts|js';
const ADDRESS = new RegExp(
  `[^\\s@]{1,64}@[^\\s@.]{1,64}(?:\\.[^\\s@.]{1,64})+|(?:https?://|www\\.)[^\\s]{1,512}|[\\p{L}\\p{N}_-]{1,64}\\.(?:${ENDINGS})(?![\\p{L}\\p{N}])(?:/[^\\s]{0,256})?|(?<![\\d.])\\d{1,3}(?:\\.\\d{1,3}){3,}(?![\\d.])`,
  'giu',
);

export function maskAddresses(text: string): string {
  if (!/@|\/\/|\.[a-z]|\d\.\d+\.\d+\.\d/i.test(text)) return text;
  return text.replace(ADDRESS, (address) => 'x'.repeat(address.length));
}
