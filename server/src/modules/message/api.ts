export { type Notification, type NotificationName, notify, withdrawNotifications } from './notify.ts';
export { wordsOf } from './words.ts';
