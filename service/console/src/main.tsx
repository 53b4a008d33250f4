import './mantine.css';
import '@mantine/notifications/styles.css';
import './console.css';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { CatchBoundary, RouterProvider } from '@tanstack/react-router';
import { setNonce } from 'get-nonce';
import { lazy, StrictMode, Suspense } from 'react';
import { createRoot } from 'react-dom/client';

import { queryClient } from './api/query-client';
import { isOutsideRouter } from './parts/outside-router';
import { RouteError } from './parts/route-error';
import { router } from './router';
import { theme } from './theme';

const AuthorizePage = lazy(() => import('./pages/authorize/authorize-page').then((module) => ({ default: module.AuthorizePage })));

/** The nonce that the service wrote into the page: it allows styles that are created at run time. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
const root = document.getElementById('root');
// The nonce for the style that stops the page behind a dialog from scrolling.
setNonce(nonce);
if (!root) throw new Error('The page has no #root');

createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => nonce}>
      <QueryClientProvider client={queryClient}>
        {isOutsideRouter(window.location.pathname) ? (
          <CatchBoundary getResetKey={() => 'authorize'} errorComponent={RouteError}>
            <Suspense>
              <AuthorizePage />
            </Suspense>
          </CatchBoundary>
        ) : (
          <RouterProvider router={router} />
        )}
        <Notifications position="bottom-right" />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
