/** What a client asks for as a whole, page by page; a server may vary it by what the request says (IX-01). */
export const LIST_METHODS: readonly string[] = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'];
