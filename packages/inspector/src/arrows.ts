/** Keys of a list of buttons that is one stop for Tab: arrows, Home and End move inside it. */
export function moveFocus(event: KeyboardEvent): void {
  const buttons = [...(event.currentTarget as HTMLElement).querySelectorAll('button')];
  const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 }[event.key];
  const next = to === undefined ? undefined : buttons[to];
  if (at === -1 || next === undefined) return;
  event.preventDefault();
  next.focus();
}
