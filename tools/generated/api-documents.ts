import { asyncApi } from '@mooring/contract/device/asyncapi';
import { deviceHttpOpenApi } from '@mooring/contract/device/http-openapi';
import { openApi } from '@mooring/server/platform/http/openapi';

/** The documents for whoever writes a client of his own. */
export const apiDocuments = (): Record<string, object> => ({
  'docs/api/openapi.json': openApi(),
  'docs/api/device-openapi.json': deviceHttpOpenApi(),
  'docs/api/asyncapi.json': asyncApi(),
});
