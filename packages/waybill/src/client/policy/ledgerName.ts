/** The ledger of a principal is stored in the jar under this prefix and its name. No drawer of state has such a name. */
const PREFIX = 'waybill ledger\u0000';

export function ledgerName(principal: string): string {
  return PREFIX + principal;
}

export function isLedgerName(principal: string): boolean {
  return principal.startsWith(PREFIX);
}

export function principalOfLedger(name: string): string {
  return name.slice(PREFIX.length);
}
