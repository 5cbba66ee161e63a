/** The `waybill` command. */
export {};
