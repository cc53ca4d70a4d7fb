// Loaded before a program: moves its clock when its parent says so. The clock of the machine stays as it is.
const Real = Date;
let shift = 0;
const now = () => Real.now() + shift;

globalThis.Date = new Proxy(Real, {
  construct: (target, args, made) => Reflect.construct(target, args.length === 0 ? [now()] : args, made),
  apply: () => new Real(now()).toString(),
  get: (target, key, self) => (key === 'now' ? now : Reflect.get(target, key, self)),
});
process.on('message', (message: { clockMs?: number }) => {
  // A clock counts whole milliseconds, however wrong it is.
  if (message.clockMs !== undefined) shift = Math.round(message.clockMs);
});
// A parent that is gone can't stop it any more.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
// Listening to the parent keeps nothing alive.
process.channel?.unref();
