/** Each file loads its modules again, so that it can replace some. Files that replace none share modules, which the engine has compiled by then. */
import { vi } from 'vitest';

vi.resetModules();
