import { z } from 'zod';
import { AppPackage } from '../device/manifest.ts';
import { settingTaskCalls, taskDeviceCallsOf } from '../engines/rollout/task-calls.ts';
import { ref } from '../kit/schema.ts';
import { softAppKind } from './app-kind.ts';

/** `update` reaches terminals that have the app already; `install` all of them; `trial` test terminals, with a version that waits for its review. */
export const appActions = ['install', 'update', 'uninstall', 'trial'] as const;

/**
 * Which version is sent, or which app goes. With a version may travel the parameters of the app: each terminal's own result of a template, as it is
 * when it is sent. The names and the template's revision the server notes, for whoever looks at the release.
 */
export const SoftAppRelease = z
  .strictObject({
    action: z.enum(appActions).default('install'),
    versionId: ref('appVersion').nullable().default(null),
    /** Of what is removed; otherwise the version says it. */
    packageName: z.union([AppPackage, z.literal('')]).default(''),
    appName: z.string().max(255).default(''),
    versionName: z.string().max(255).default(''),
    versionCode: z.int().nullable().default(null),
    templateId: ref('paramTemplate').nullable().default(null),
    templateName: z.string().max(64).default(''),
    templateRevision: z.int().positive().nullable().default(null),
  })
  .refine(({ action, versionId }) => action === 'uninstall' || versionId !== null, { path: ['versionId'], message: 'invalid.required' })
  .refine(({ action, packageName }) => action !== 'uninstall' || packageName !== '', {
    path: ['packageName'],
    message: 'invalid.required',
  });

export const softAppTaskCalls = settingTaskCalls(softAppKind, SoftAppRelease, [
  'APP_NOT_LISTED',
  'APP_NOT_SUBSCRIBED',
  'APP_TRIAL',
  'APP_OWN_REVIEW',
  'APP_PROFILE_ROOT',
  'APP_PROFILE_SIGNER',
  'APP_PROFILE_CMS',
  'APP_PROFILE_UNREAD',
  'PARAM_PRODUCT',
  'PARAM_TEMPLATE_OLD',
]);
export const softAppTaskDeviceCalls = taskDeviceCallsOf(softAppKind);
