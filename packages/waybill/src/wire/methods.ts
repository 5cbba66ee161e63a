/** The lists of the protocol, which come page by page. A server may vary them by the context of the request (IX-01). */
export const LIST_METHODS: readonly string[] = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'];
