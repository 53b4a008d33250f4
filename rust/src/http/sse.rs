//! Reads server-sent events from a stream of bytes.
//!
//! Shape: lines of `data` are joined by a line feed. `id` and `retry` are ignored: a call is resumed by its idempotency key.
//! Source: HTML Living Standard, section 9.2.6, "Interpreting an event stream".

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

#[derive(Debug, PartialEq)]
pub(super) struct ServerSentEvent {
    /// `message` by default.
    pub event: String,
    pub data: Vec<u8>,
}

/// The events of a stream that arrives in chunks. An incomplete event at its end is dropped.
#[derive(Default)]
pub(super) struct EventReader {
    rest: Vec<u8>,
    /// The last chunk ended with CR, which may be the first half of CRLF.
    after_cr: bool,
    has_begun: bool,
    event: String,
    data: Option<Vec<u8>>,
}

impl EventReader {
    /// The bytes of an event that is not complete.
    pub fn pending_bytes(&self) -> usize {
        self.rest.len() + self.event.len() + self.data.as_ref().map_or(0, Vec::len)
    }

    /// The events that the chunk completes.
    pub fn read(&mut self, chunk: &[u8]) -> Vec<ServerSentEvent> {
        let mut events = Vec::new();
        for &byte in chunk {
            let ends_crlf = self.after_cr && byte == b'\n';
            self.after_cr = byte == b'\r';
            if ends_crlf {
                continue;
            }
            if !matches!(byte, b'\r' | b'\n') {
                self.rest.push(byte);
                continue;
            }
            let line = std::mem::take(&mut self.rest);
            events.extend(self.read_line(&line));
        }
        events
    }

    fn read_line(&mut self, line: &[u8]) -> Option<ServerSentEvent> {
        let is_first = !std::mem::replace(&mut self.has_begun, true);
        let line = line.strip_prefix(BYTE_ORDER_MARK).filter(|_| is_first).unwrap_or(line);
        if line.is_empty() {
            let event = std::mem::take(&mut self.event);
            let event = if event.is_empty() { "message".into() } else { event };
            return self.data.take().map(|data| ServerSentEvent { event, data });
        }
        let colon = line.iter().position(|&byte| byte == b':').unwrap_or(line.len());
        let value = line.get(colon + 1..).unwrap_or_default();
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match &line[..colon] {
            b"event" => self.event = String::from_utf8_lossy(value).into(),
            b"data" => match &mut self.data {
                Some(data) => data.extend([b"\n", value].concat()),
                None => self.data = Some(value.into()),
            },
            _ => {}
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events_of(chunks: &[&[u8]]) -> Vec<(String, String)> {
        let mut reader = EventReader::default();
        let events = chunks.iter().flat_map(|chunk| reader.read(chunk)).collect::<Vec<_>>();
        events.into_iter().map(|each| (each.event, String::from_utf8(each.data).unwrap())).collect()
    }

    #[test]
    fn events_are_the_same_however_the_stream_is_cut() {
        let stream = "\u{feff}: comment\r\nevent: progress\r\ndata: {\"é\":1}\r\n\r\nevent:a\rdata\rdata:  b\r\rid: 1\ndata:x\u{2028}y\n\nevent: lost\n\ndata: z";
        let wanted = [("progress", "{\"é\":1}"), ("a", "\n b"), ("message", "x\u{2028}y")].map(|(event, data)| (event.into(), data.into()));
        assert_eq!(events_of(&[stream.as_bytes()]), wanted);
        for at in 0..stream.len() {
            let (first, second) = stream.as_bytes().split_at(at);
            assert_eq!(events_of(&[first, second]), wanted, "cut at {at}");
        }
        assert_eq!(events_of(&stream.as_bytes().chunks(1).collect::<Vec<_>>()), wanted);
    }
}
