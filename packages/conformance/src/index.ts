/** `@waybill/conformance`: executable rules for servers, clients and gateways. It imports no other package of ours. */
export {};
