/** The keys of SEP-2792, and its text. */
export const ACCEPT = 'io.modelcontextprotocol/acceptLanguage';
export const CONTENT = 'io.modelcontextprotocol/contentLanguage';
export const SEP_2792 = {
  id: 'SEP-2792',
  url: 'https://github.com/modelcontextprotocol/modelcontextprotocol/blob/ce12e6468aff16b889d32fe5eef64c3ea2857b21/seps/2792-i18n-language-negotiation.md',
};
