import { z } from 'zod';
import { settingAction } from '../engines/rollout/settings.ts';
import { settingTaskCalls, taskDeviceCallsOf } from '../engines/rollout/task-calls.ts';
import { ref } from '../kit/schema.ts';
import { customizeDesktopKind, storeAdvertSpaceKind, systemCustomizationKind } from './kinds.ts';
import { advertPlaces } from './limits.ts';

/** Which content is sent, or that the terminal's own comes back. Its name the server notes, for whoever looks at the release. */
const released = (entity: string) => ({
  ...settingAction,
  contentId: ref(entity).nullable().default(null),
  contentName: z.string().max(64).default(''),
});
type Released = { action: 'config' | 'reset'; contentId: number | null };
const isWhole = ({ action, contentId }: Released) => action === 'reset' || contentId !== null;
const missing = { path: ['contentId'], message: 'invalid.required' };

/** Each place of a terminal has a playlist of its own. */
export const AdvertRelease = z
  .strictObject({ ...released('advert'), place: z.enum(advertPlaces).default('idle') })
  .refine(isWhole, missing);
export const CustomizationRelease = z.strictObject(released('customization')).refine(isWhole, missing);
export const DesktopRelease = z.strictObject(released('desktop')).refine(isWhole, missing);

const faults = ['CONTENT_NOT_PUBLISHED'];
export const advertTaskCalls = settingTaskCalls(storeAdvertSpaceKind, AdvertRelease, faults);
export const advertTaskDeviceCalls = taskDeviceCallsOf(storeAdvertSpaceKind);
export const customizationTaskCalls = settingTaskCalls(systemCustomizationKind, CustomizationRelease, faults);
export const customizationTaskDeviceCalls = taskDeviceCallsOf(systemCustomizationKind);
export const desktopTaskCalls = settingTaskCalls(customizeDesktopKind, DesktopRelease, faults);
export const desktopTaskDeviceCalls = taskDeviceCallsOf(customizeDesktopKind);
