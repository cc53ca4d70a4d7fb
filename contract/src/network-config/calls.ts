import { z } from 'zod';
import { settingAction } from '../engines/rollout/settings.ts';
import { settingTaskCalls, taskDeviceCallsOf } from '../engines/rollout/task-calls.ts';
import { networkConfigKind } from './kind.ts';

/** Kinds of specification section 4. */
export const networkSettings = ['wifiWhitelist', 'hotspot'] as const;

/** A Wi-Fi name has at most 32 bytes (IEEE 802.11, "SSID element"). */
const Ssid = z
  .string()
  .min(1)
  .refine((name) => new TextEncoder().encode(name).length <= 32, { message: 'invalid.ssid' });

/** Wi-Fi networks that terminals may join, or whether their own hotspot may be on. */
export const NetworkConfig = z
  .strictObject({
    setting: z.enum(networkSettings),
    ...settingAction,
    ssids: z.array(Ssid).max(100).default([]),
    hotspot: z.boolean().default(false),
  })
  .refine(({ action, setting, ssids }) => action === 'reset' || setting !== 'wifiWhitelist' || ssids.length > 0, {
    path: ['ssids'],
    message: 'invalid.required',
  });

export const networkConfigCalls = settingTaskCalls(networkConfigKind, NetworkConfig);
export const networkConfigDeviceCalls = taskDeviceCallsOf(networkConfigKind);
