import { formatTimestamp, zoneOffset } from '../wire/environment.js';

const SECOND = 1000;
const MINUTE = 60_000;

/**
 * Writes the user's clock as text, with the offset of the user's zone. If the zone is not sent, the text is in UTC, because the offset
 * would reveal the zone. A zone changes its offset only on whole minutes, so its formatter runs once a minute; within a second only the
 * milliseconds change.
 */
export class ClockText {
  #zone: string | undefined;
  #minute = NaN;
  #offset: number | undefined;
  #second = NaN;
  #before = '';
  #after = '';

  at(epochMilliseconds: number, zone: string | undefined): string {
    const minute = Math.floor(epochMilliseconds / MINUTE);
    if (zone !== this.#zone || minute !== this.#minute) {
      this.#zone = zone;
      this.#minute = minute;
      this.#offset = zone === undefined ? undefined : zoneOffset(zone, epochMilliseconds);
      this.#second = NaN;
    }
    const second = Math.floor(epochMilliseconds / SECOND);
    if (second !== this.#second) {
      const { text } = formatTimestamp(second * SECOND, this.#offset);
      const dot = text.indexOf('.') + 1;
      this.#second = second;
      this.#before = text.slice(0, dot);
      this.#after = text.slice(dot + 3);
    }
    const rest = Math.floor(epochMilliseconds - second * SECOND);
    return this.#before + (rest < 10 ? `00${rest}` : rest < 100 ? `0${rest}` : String(rest)) + this.#after;
  }
}
