export { type Notification, type NotificationName, notify, type Target, withdrawAfter, withdrawNotifications } from './notify.ts';
export { unscheduleOf } from './unschedule.ts';
export { wordsOf } from './words.ts';
