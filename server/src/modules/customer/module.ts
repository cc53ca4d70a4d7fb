import type { AppContext } from '../../platform/app-context.ts';
import type { Module } from '../../platform/module.ts';
import { makeCustomers, messages } from './customer.resource.ts';
import { followJob } from './follow-devices.ts';
import { boundsJob } from './keep-bounds.ts';
import { noteMessages } from './note-messages.ts';
import { registerJob } from './register-many.ts';
import { registrations } from './registration.resource.ts';
import { iotService } from './service.ts';

/** Outside IoT platforms: which there are, what of terminals goes there, and who is registered there. */
export const makeCustomer = (app: AppContext): Module => ({
  name: 'customer',
  resources: [makeCustomers(app), messages, registrations],
  messages: noteMessages,
  jobs: [boundsJob, followJob, registerJob],
  services: [iotService],
});
