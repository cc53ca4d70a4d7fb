/**
 * Permissions that Android calls dangerous: what they open is the person's or the shop's. By their names without `android.permission.`;
 * those of health are many, and one here.
 */
export const dangerousPermissions = [
  'ACCEPT_HANDOVER',
  'ACCESS_BACKGROUND_LOCATION',
  'ACCESS_COARSE_LOCATION',
  'ACCESS_FINE_LOCATION',
  'ACCESS_MEDIA_LOCATION',
  'ACTIVITY_RECOGNITION',
  'ADD_VOICEMAIL',
  'ANSWER_PHONE_CALLS',
  'BLUETOOTH_ADVERTISE',
  'BLUETOOTH_CONNECT',
  'BLUETOOTH_SCAN',
  'BODY_SENSORS',
  'BODY_SENSORS_BACKGROUND',
  'CALL_PHONE',
  'CAMERA',
  'GET_ACCOUNTS',
  'HEALTH',
  'NEARBY_WIFI_DEVICES',
  'POST_NOTIFICATIONS',
  'PROCESS_OUTGOING_CALLS',
  'RANGING',
  'READ_CALENDAR',
  'READ_CALL_LOG',
  'READ_CELL_BROADCASTS',
  'READ_CONTACTS',
  'READ_EXTERNAL_STORAGE',
  'READ_MEDIA_AUDIO',
  'READ_MEDIA_IMAGES',
  'READ_MEDIA_VIDEO',
  'READ_MEDIA_VISUAL_USER_SELECTED',
  'READ_PHONE_NUMBERS',
  'READ_PHONE_STATE',
  'READ_SMS',
  'RECEIVE_MMS',
  'RECEIVE_SMS',
  'RECEIVE_WAP_PUSH',
  'RECORD_AUDIO',
  'SEND_SMS',
  'USE_SIP',
  'UWB_RANGING',
  'WRITE_CALENDAR',
  'WRITE_CALL_LOG',
  'WRITE_CONTACTS',
  'WRITE_EXTERNAL_STORAGE',
] as const;
/** What opens the terminal itself, which Android grants by a switch of its own, or to the maker's apps alone. */
export const specialPermissions = [
  'BIND_ACCESSIBILITY_SERVICE',
  'BIND_DEVICE_ADMIN',
  'BIND_NOTIFICATION_LISTENER_SERVICE',
  'DELETE_PACKAGES',
  'INSTALL_PACKAGES',
  'MANAGE_EXTERNAL_STORAGE',
  'MASTER_CLEAR',
  'PACKAGE_USAGE_STATS',
  'QUERY_ALL_PACKAGES',
  'READ_LOGS',
  'REBOOT',
  'REQUEST_INSTALL_PACKAGES',
  'SYSTEM_ALERT_WINDOW',
  'WRITE_SECURE_SETTINGS',
  'WRITE_SETTINGS',
] as const;
const watched = [...dangerousPermissions, ...specialPermissions] as const;
export type DangerousPermission = (typeof watched)[number];

const PREFIX = 'android.permission.';
const HEALTH = `${PREFIX}health.`;
const VOICEMAIL = 'com.android.voicemail.permission.ADD_VOICEMAIL';
/** Of one that a reviewer looks at first its short name. */
export function dangerOf(permission: string): DangerousPermission | undefined {
  if (permission === VOICEMAIL) return 'ADD_VOICEMAIL';
  if (permission.startsWith(HEALTH)) return 'HEALTH';
  if (!permission.startsWith(PREFIX)) return undefined;
  const short = permission.slice(PREFIX.length);
  return watched.find((one) => one === short);
}
