/**
 * Moves the date of a process by some milliseconds, for all JavaScript in it: loaded before a program
 * or test as `--preload=calendar.js?by=MILLISECONDS`. Time passes as fast as on the machine.
 */
const by = Number(new URL(import.meta.url).searchParams.get("by"));
const { now } = Date;
const { instant } = Temporal.Now;

const moved = () => now() + by;
Date.now = moved;
Temporal.Now.instant = () => instant().add({ milliseconds: by });
Temporal.Now.zonedDateTimeISO = (zone = Temporal.Now.timeZoneId()) =>
  Temporal.Now.instant().toZonedDateTimeISO(zone);
Temporal.Now.plainDateTimeISO = (zone) => Temporal.Now.zonedDateTimeISO(zone).toPlainDateTime();
Temporal.Now.plainDateISO = (zone) => Temporal.Now.zonedDateTimeISO(zone).toPlainDate();
Temporal.Now.plainTimeISO = (zone) => Temporal.Now.zonedDateTimeISO(zone).toPlainTime();
globalThis.Date = new Proxy(Date, {
  apply: (target) => new target(moved()).toString(),
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [moved()] : args, newTarget),
});
