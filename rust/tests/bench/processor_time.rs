use rustix::time::{ClockId, clock_gettime};

/// Milliseconds of processor time of all threads of this process.
pub fn processor_ms() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 * 1_000.0 + time.tv_nsec as f64 / 1_000_000.0
}
