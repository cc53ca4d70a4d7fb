import { z } from 'zod';
import { settingAction } from '../engines/rollout/settings.ts';
import { settingTaskCalls, taskDeviceCallsOf } from '../engines/rollout/task-calls.ts';
import { appPermissionKind } from './kind.ts';

/** List kinds of specification section 4. */
export const appLists = [
  'noUninstall',
  'launcher',
  'bootApp',
  'print',
  'usb',
  'dangerousPermission',
  'lowMemoryKeepAlive',
  'bootBroadcast',
] as const;
export type AppList = (typeof appLists)[number];
/** A terminal has one of each. */
const single: readonly AppList[] = ['launcher', 'bootApp'];

const AppId = z
  .string()
  .trim()
  .max(128)
  .regex(/^[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z][A-Za-z0-9_]*)+$/, { message: 'invalid.appId' });

/** A list of apps as it is to be on terminals; with `reset` it is again as it was before anything was set. */
export const AppPermission = z
  .strictObject({ list: z.enum(appLists), ...settingAction, apps: z.array(AppId).max(200).default([]) })
  .refine(({ action, apps }) => action === 'reset' || apps.length > 0, { path: ['apps'], message: 'invalid.required' })
  .refine(({ list, apps }) => !single.includes(list) || apps.length <= 1, { path: ['apps'], message: 'invalid.oneApp' });

export const appPermissionCalls = settingTaskCalls(appPermissionKind, AppPermission);
export const appPermissionDeviceCalls = taskDeviceCallsOf(appPermissionKind);
