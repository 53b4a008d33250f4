/**
 * The software bill of materials of bundled packages, for scanners: a bundle hides its packages from `npm audit`.
 *
 * Shape:  CycloneDX 1.6 as JSON, in the same bytes for the same packages: without a serial number and a time.
 * Source: https://cyclonedx.org/docs/1.6/json/ and https://github.com/package-url/purl-spec (type npm).
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Enums, Models, Serialize, SPDX, Spec } from '@cyclonedx/cyclonedx-library';

/** @param of the folder of the package that has the bundles */
export function sbomOf(folders: Iterable<string>, of: string): string {
  const bom = new Models.Bom({ metadata: new Models.Metadata({ component: component(of, Enums.ComponentType.Application) }) });
  const components = new Map([...folders].map((folder) => component(folder, Enums.ComponentType.Library)).map((each) => [each.purl, each]));
  for (const each of components.values()) bom.components.add(each);
  const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6));
  return serializer.serialize(bom, { sortLists: true, space: 2 });
}

function component(folder: string, type: Enums.ComponentType): Models.Component {
  const { name: fullName, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const [, group, name = fullName] = /^(@[^/]+)\/(.+)$/.exec(fullName) ?? [];
  const purl = `pkg:npm/${group ? `${encodeURIComponent(group)}/` : ''}${name}@${encodeURIComponent(version)}`;
  const licenses = new Models.LicenseRepository([licenceOf(license)]);
  return new Models.Component(type, name, { ...(group && { group }), version, purl, bomRef: purl, licenses });
}

function licenceOf(license: string): Models.License {
  return SPDX.isSupportedSpdxId(license) ? new Models.SpdxLicense(license) : new Models.LicenseExpression(license);
}
