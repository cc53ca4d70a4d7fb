export { many, one } from './alarm-acts.ts';
export { tellSoon } from './consume-signals.ts';
export { alarmRows, type Found, openAlarms, recover, subjectOf } from './open-alarms.ts';
export { sayTestOf } from './receiver.resource.ts';
export { alarmsNow } from './summary.ts';
export { ALARM_CALLS } from './watch.ts';
