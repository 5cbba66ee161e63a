/** `@waybill/gateway`: the five concerns for servers and clients that nobody can change. */
export {};
