/** `waybill/testing`: call a tool under any context. */
export {};
