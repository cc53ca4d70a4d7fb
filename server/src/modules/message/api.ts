export { type Notification, type NotificationName, notify, withdrawNotifications } from './notify.ts';
